/** Shell text that prints a variable as a program sees it, or `unset`. Not every sandbox has `printenv`. */
export function exportedValue(name: string): string {
  return `sh -c 'printf "%s\\n" "\${${name}-unset}"'`;
}
