//go:build !prove && !soak

package model

const (
	pureWalks      = 16
	leastPureSteps = 15_000
	storeRounds    = 40
	faultRounds    = 40
)
