package routing

// RoomOf is the sum of the room that the sections of a continuation get.
func RoomOf(c Continuation, limit int) int {
	sections, sum := c.sections(limit), 0
	fit(sections, limit)
	for _, s := range sections {
		sum += s.room
	}
	return sum
}

// RouteRows and RouteRowOf show which row of the route table decides.
func RouteRows() int              { return len(routeTable) }
func RouteRowOf(f RouteFacts) int { return rowOf(f) }
