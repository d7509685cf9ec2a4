//go:build soak

package clock

const rounds = 64
