package evidence

// Exit says how an agent process ended. The zero value is exit code 0.
type Exit struct {
	Code int
	// Signal is the name of the signal that ended the process, as "SIGKILL"; "" if it exited.
	Signal string
	// SpawnError is the operating system's text when the process did not start, else "".
	SpawnError string
	// EndedBy says who ended the process: "" (itself), "supervisor" or "user".
	EndedBy string
}

// Clean reports an exit with code 0 by the process's own doing.
func (x Exit) Clean() bool {
	return x.Code == 0 && x.Signal == "" && x.SpawnError == ""
}
