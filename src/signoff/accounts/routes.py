"""The routes of members, keys, and the account, in the order of the API reference."""

from signoff.accounts.account.routes import router as account
from signoff.accounts.api_keys.routes import router as keys
from signoff.accounts.audit_log.routes import router as audit_log
from signoff.accounts.groups.routes import router as groups
from signoff.accounts.oidc.routes import router as oidc
from signoff.accounts.out_of_office.routes import router as absences
from signoff.accounts.sign_in.routes import router as sign_in
from signoff.accounts.usage.routes import router as usage
from signoff.accounts.users.routes import router as people

routers = (sign_in, oidc, absences, people, groups, keys, account, usage, audit_log)
