//go:build !prove && !soak

package crash

const (
	matrixRounds = 1
	matrixStride = 10 // every tenth place, with one replica
)
