package rpc

import (
	"github.com/recourse-dev/recourse/core/access"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func workspaceToWire(w access.Workspace) *recoursev1.Workspace {
	return &recoursev1.Workspace{
		WorkspaceId: w.ID, DisplayName: utf8(w.DisplayName), CreatedAt: timestamp(w.CreatedAt),
		RecoveryMode: modeTable.toWire(w.RecoveryMode), RecoveryOff: w.RecoveryOff,
	}
}

func tokenToWire(t access.Token) *recoursev1.ApiToken {
	return &recoursev1.ApiToken{
		TokenId:       t.ID,
		DisplayName:   utf8(t.DisplayName),
		Role:          roleTable.toWire(t.Role),
		InstanceAdmin: t.InstanceAdmin,
		CreatedAt:     timestamp(t.CreatedAt),
		ExpiresAt:     timestamp(t.ExpiresAt),
		LastUsedAt:    timestamp(t.LastUsedAt),
		RevokedAt:     timestamp(t.RevokedAt),
	}
}
