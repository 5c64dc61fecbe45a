import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { aliveFunction, endedFunction, readBootId, sizeFunction } from "./shell-pieces.js";

/**
 * Reads a piece of a log. Answers a line `log ended size` and the bytes, or `gone`. Nothing before the offset is read:
 * `dd` moves the place in the open file, and what is started after it reads on from there. Whether the job has ended is
 * looked at before the size, so that an end is never told too early.
 */
export function readLogText(folder: string, offset: number, maxBytes: number, isText: boolean): string {
  return (
    `job=${shellQuote(folder)} offset=${offset} max=${maxBytes}\n` +
    readBootId +
    aliveFunction +
    endedFunction +
    sizeFunction +
    bashText`
[ -d "$job" ] || { echo gone; exit 0; }
is_ended=0; ended "$job" && is_ended=1
size_of "$job/log"
echo "log $is_ended $size"
if [ "$size" -gt "$offset" ]; then
  { dd bs=1 skip="$offset" count=0 2>/dev/null; head -c "$max"${isText ? " | base64" : ""}; } <"$job/log"
fi
:
`
  );
}

/**
 * Follows a log from an offset on, on standard output, until it is ended by who started it. GNU's `tail` waits for
 * events and seeks. Another one may look only once a second, so there a loop copies what is new: the file stays open, and
 * each `cat` goes on where the one before ended. It ends when its standard input does or its parent is gone.
 */
export const followText = bashText`
log=$1 offset=$2
case $(tail --version 2>/dev/null) in *GNU* | *uutils*) exec tail -c "+$((offset + 1))" -f -- "$log" ;; esac
exec 4<"$log" || exit 1
dd bs=1 skip="$offset" count=0 <&4 2>/dev/null
while cat <&4; do
  if [ -n "\${BASH_VERSION-}" ]; then
    read -r -t 0.05 line
    [ $? -gt 128 ] || exit 0
  else
    sleep 0.05 2>/dev/null || sleep 1
    if { IFS= read -r line </proc/$$/stat; } 2>/dev/null; then
      set -- \${line##*) }
      [ "$2" = "$PPID" ] || exit 0
    fi
  fi
done
`;
