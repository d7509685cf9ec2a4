//go:build prove || soak

package secret

// rounds is how often secrets of all shapes are planted.
const rounds = 208
