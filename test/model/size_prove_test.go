//go:build prove && !soak

package model

const (
	pureWalks      = 80
	leastPureSteps = 100_000
	storeRounds    = 300
	faultRounds    = 60
)
