@rem "npm start" uses the shell's exec, so that a signal to npm reaches the server. Windows has none.
@%*
