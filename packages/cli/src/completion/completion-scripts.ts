/**
 * One short script per shell. Each hands the words of the line to `talaria __complete` as separate arguments: nothing a
 * person has typed so far is ever evaluated. The first line of the answer says what else to offer (`:files` or `:none`).
 */
export const completionScripts = {
  bash: `_talaria() {
  local line mode=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $mode ]]; then mode=$line; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(talaria __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $mode == :files ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _talaria talaria
`,
  zsh: `#compdef talaria
_talaria() {
  local line mode
  local -a lines values
  lines=("\${(@f)$(talaria __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  mode=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if [[ $mode == :files ]]; then _files; else _describe talaria values; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _talaria "$@"; else compdef _talaria talaria; fi
`,
  fish: `function __talaria_complete
    set -l current (commandline -ct)
    set -l before (commandline -opc)
    set -l lines (talaria __complete $before[2..-1] "$current" 2>/dev/null)
    if test "$lines[1]" = ":files"
        __fish_complete_path "$current"
    else
        printf '%s\\n' $lines[2..-1]
    end
end
complete -c talaria -f -a '(__talaria_complete)'
`,
} as const;

export type CompletedShell = keyof typeof completionScripts;
