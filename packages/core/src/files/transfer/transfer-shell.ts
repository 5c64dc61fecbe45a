/** Under this a session's files lend what they run scripts with to the files of another session, for a copy between both. */
export const transferShell: unique symbol = Symbol("talaria.files.shell");
