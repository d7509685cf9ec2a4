//go:build soak

package model

const (
	pureWalks      = 600
	leastPureSteps = 2_000_000
	storeRounds    = 10_000
	faultRounds    = 2_000
)
