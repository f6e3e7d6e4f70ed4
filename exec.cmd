@rem "npm start" begins with exec, so that a signal to npm reaches the server. Windows has no exec: this stands in for it.
@%*
