//go:build soak

package crash

const (
	matrixRounds = 25
	matrixStride = 1
	cutRounds    = 500
	loadWakeups  = 2000
	restartsPG   = 5 // PostgreSQL gives up after more of them in a minute
)
