/** A file as people write it: comments in every place, quotes, a blank line, two kinds of list items. */
export const commented = `# Talaria at home
# second line

terminal: # where commands run
  # the sandbox
  backend: docker   # not local!
  timeout: 60

  docker_image: 'debian:12'
# what may be loaded
plugins:
  enabled:
    - "@acme/box" # reviewed
    - tent
`;
