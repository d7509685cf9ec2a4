//go:build !prove && !soak

package clock

const rounds = 4
