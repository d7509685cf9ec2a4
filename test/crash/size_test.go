//go:build !prove && !soak

package crash

const (
	matrixRounds = 1
	matrixStride = 6 // every sixth place, with one replica
)
