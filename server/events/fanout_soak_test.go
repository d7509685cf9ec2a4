//go:build soak

package events_test

// eventsPerWriter makes 100,000 events of 32 writers.
const eventsPerWriter = 3125
