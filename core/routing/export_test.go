package routing

// RouteRows and RouteRowOf show which row of the route table decides.
func RouteRows() int              { return len(routeTable) }
func RouteRowOf(f RouteFacts) int { return rowOf(f) }
