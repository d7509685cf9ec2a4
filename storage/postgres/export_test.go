package postgres

// ConstraintsWithFaults are the constraints that mean something to a caller.
func ConstraintsWithFaults() []string {
	names := make([]string, 0, len(constraintFaults))
	for name := range constraintFaults {
		names = append(names, name)
	}
	return names
}
