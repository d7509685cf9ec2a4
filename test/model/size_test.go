//go:build !soak

package model

const (
	pureWalks      = 60
	leastPureSteps = 100_000
	storeRounds    = 300
	faultRounds    = 60
)
