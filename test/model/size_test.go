//go:build !prove && !soak

package model

const (
	pureWalks      = 8
	leastPureSteps = 7_000
	storeRounds    = 16
	faultRounds    = 16
)
