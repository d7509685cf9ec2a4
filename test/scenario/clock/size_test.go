//go:build !soak

package clock

const rounds = 8
