package child

import (
	"os"
	"syscall"
)

// WriteProgram makes a program of the owner's only. While it is written no
// child of this process starts: one that inherited the open file would keep
// the program from being run ("text file busy").
func WriteProgram(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o700)
}
