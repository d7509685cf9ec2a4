//go:build !soak

package events_test

const eventsPerWriter = 20
