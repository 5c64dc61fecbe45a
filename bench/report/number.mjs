// @ts-check

const mebibyte = 1024 * 1024;

/**
 * @param {number} value
 * @param {number} digits after the point
 */
export function formatNumber(value, digits) {
  return Number.isInteger(value) && digits === 0 ? String(value) : value.toFixed(digits);
}

/**
 * A figure's value, in a form that reads well for its unit.
 *
 * @param {number} value
 * @param {string} unit
 */
export function formatValue(value, unit) {
  switch (unit) {
    case "ratio":
      // Three digits: a target of 0.60 that was missed by 0.604 should look like it.
      return `${formatNumber(value, 3)} ×`;
    case "ms":
      return `${formatNumber(value, 1)} ms`;
    case "bytes":
      return `${formatNumber(value / mebibyte, 1)} MiB`;
    case "bytes_per_second":
      return `${formatNumber(value / mebibyte, 0)} MiB/s`;
    case "count":
      return String(value);
    default:
      return `${formatNumber(value, 2)} ${unit}`;
  }
}
