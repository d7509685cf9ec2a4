package events

// Changes returns a channel that receives after news of a workspace: numbered
// events of this process, hints of other replicas, and whenever such may have
// been lost. Several before a look count as one. Call leave when done.
func (s *Stream) Changes(workspaceID string) (news <-chan struct{}, leave func()) {
	return s.hub.subscribe(workspaceID)
}
