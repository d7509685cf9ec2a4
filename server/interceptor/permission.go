package interceptor

import (
	"slices"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// permission is who may call a method.
type permission struct {
	// public needs no credential.
	public bool
	// least is the role that an answer of 403 names.
	least access.Role
	roles []access.Role
}

// allows reports whether a credential with this role may call.
func (p permission) allows(role access.Role) bool { return p.public || slices.Contains(p.roles, role) }

// The levels of access. A worker is no reader: it gets what it claims.
var (
	public   = permission{public: true}
	anyone   = permission{least: access.RoleViewer, roles: access.Roles()}
	readers  = permission{least: access.RoleViewer, roles: []access.Role{access.RoleViewer, access.RoleMember, access.RoleAdmin}}
	writers  = permission{least: access.RoleMember, roles: []access.Role{access.RoleMember, access.RoleAdmin}}
	claimers = permission{least: access.RoleWorker, roles: []access.Role{access.RoleWorker, access.RoleMember, access.RoleAdmin}}
	admins   = permission{least: access.RoleAdmin, roles: []access.Role{access.RoleAdmin}}
)

// permissions is the one table of who may call what. A method that is missing here
// is refused to everybody; a test lists every method of every service.
var permissions = map[string]permission{
	"/grpc.health.v1.Health/Check": public,
	"/grpc.health.v1.Health/List":  public,
	"/grpc.health.v1.Health/Watch": public,
	// The schema is public: it is in the repository and in /openapi.json.
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo":      public,
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": public,

	recoursev1connect.ClassificationServiceClassifyFailureProcedure:       anyone,
	recoursev1connect.ClassificationServiceBatchClassifyFailuresProcedure: anyone,
	recoursev1connect.ClassificationServiceListCodesProcedure:             anyone,
	recoursev1connect.ClassificationServiceListRulesProcedure:             anyone,
	recoursev1connect.ClassificationServiceGetRuleProcedure:               anyone,
	recoursev1connect.ClassificationServiceGetCatalogueProcedure:          anyone,

	recoursev1connect.RecoveryServiceBeginPromptProcedure:        writers,
	recoursev1connect.RecoveryServiceClaimWakeupsProcedure:       claimers,
	recoursev1connect.RecoveryServiceBeginSendProcedure:          claimers,
	recoursev1connect.RecoveryServiceMarkDeliveredProcedure:      claimers,
	recoursev1connect.RecoveryServiceRecordProgressProcedure:     claimers,
	recoursev1connect.RecoveryServiceHeartbeatRunProcedure:       claimers,
	recoursev1connect.RecoveryServiceReportFailureProcedure:      claimers,
	recoursev1connect.RecoveryServiceReportSuccessProcedure:      claimers,
	recoursev1connect.RecoveryServiceCancelWaitProcedure:         writers,
	recoursev1connect.RecoveryServiceRetryNowProcedure:           writers,
	recoursev1connect.RecoveryServiceStopRunProcedure:            writers,
	recoursev1connect.RecoveryServiceResumeSessionProcedure:      writers,
	recoursev1connect.RecoveryServiceStartFreshProcedure:         writers,
	recoursev1connect.RecoveryServiceGetSessionRecoveryProcedure: readers,
	recoursev1connect.RecoveryServiceListRecoveriesProcedure:     readers,
	recoursev1connect.RecoveryServiceSimulatePolicyProcedure:     readers,
	recoursev1connect.RecoveryServiceDecideProcedure:             anyone,
	recoursev1connect.RecoveryServiceListWakeupsProcedure:        readers,
	recoursev1connect.RecoveryServiceGetWakeupProcedure:          readers,
	recoursev1connect.RecoveryServiceListRunsProcedure:           readers,
	recoursev1connect.RecoveryServiceGetRunProcedure:             readers,
	recoursev1connect.RecoveryServiceListEventsProcedure:         readers,
	recoursev1connect.RecoveryServiceWatchEventsProcedure:        readers,

	// A profile says what runs on every host: only admins write it. It holds no
	// secret, and workers need it.
	recoursev1connect.RoutingServiceCreateProfileProcedure: admins,
	recoursev1connect.RoutingServiceGetProfileProcedure:    anyone,
	recoursev1connect.RoutingServiceListProfilesProcedure:  anyone,
	recoursev1connect.RoutingServiceUpdateProfileProcedure: admins,
	recoursev1connect.RoutingServiceDeleteProfileProcedure: admins,

	recoursev1connect.WorkspaceServiceListWorkspacesProcedure:  anyone,
	recoursev1connect.WorkspaceServiceGetWorkspaceProcedure:    anyone,
	recoursev1connect.WorkspaceServiceUpdateWorkspaceProcedure: admins,
	recoursev1connect.WorkspaceServiceCreateApiTokenProcedure:  admins,
	recoursev1connect.WorkspaceServiceListApiTokensProcedure:   admins,
	recoursev1connect.WorkspaceServiceRevokeApiTokenProcedure:  admins,
	recoursev1connect.WorkspaceServiceCreateLoginLinkProcedure: anyone,
	recoursev1connect.WorkspaceServiceGetCallerProcedure:       anyone,
	recoursev1connect.WorkspaceServiceGetServerInfoProcedure:   anyone,
}

// permissionFor returns who may call a procedure, as "/recourse.v1.Service/Method".
// ok is false for a procedure that the table does not have.
func permissionFor(procedure string) (p permission, ok bool) {
	p, ok = permissions[procedure]
	return p, ok
}
