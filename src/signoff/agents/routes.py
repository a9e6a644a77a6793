from fastapi import APIRouter

from signoff.accounts.dependencies import CanEditForms, CanRead
from signoff.agents import actions, queries
from signoff.agents.errors import agent_in_use
from signoff.agents.schemas import Agent, AgentChange, AgentCursor, AgentId, AgentWithSecret, NewAgent
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Agents"])


@router.get("/agents", operation_id="listAgents", summary="List agents")
async def list_agents(caller: CanRead, cursor: AgentCursor = None, limit: Limit = 50) -> Page[Agent]:
    """Returns agents, oldest first."""
    agents = await queries.list_agents(caller.db, caller.account_id, cursor, limit + 1)
    return make_page(agents, limit, lambda agent: agent.agent_id)


@router.post("/agents", operation_id="createAgent", summary="Create an agent", status_code=201)
async def create_agent(caller: CanEditForms, new: NewAgent) -> AgentWithSecret:
    """Creates an agent. The response contains its webhook signing secret, shown only once."""
    return await actions.create_agent(caller, new)


@router.get("/agents/{agentId}", operation_id="getAgent", summary="Get an agent")
async def get_agent(caller: CanRead, agent_id: AgentId) -> Agent:
    """Returns an agent without its secret."""
    return await queries.get_agent(caller.db, caller.account_id, agent_id)


@router.patch("/agents/{agentId}", operation_id="changeAgent", summary="Update an agent")
async def change_agent(caller: CanEditForms, agent_id: AgentId, change: AgentChange) -> Agent:
    """Updates the given properties."""
    return await actions.update_agent(caller, agent_id, change)


@router.delete(
    "/agents/{agentId}",
    operation_id="deleteAgent",
    summary="Delete an agent",
    status_code=204,
    responses=document_errors(agent_in_use(2)),
)
async def delete_agent(caller: CanEditForms, agent_id: AgentId) -> None:
    """Deletes an agent. Archive its review types or move them to another agent first. Its reviews stay available."""
    await actions.delete_agent(caller, agent_id)


@router.post(
    "/agents/{agentId}/rotateSecret", operation_id="rotateAgentSecret", summary="Rotate an agent's signing secret"
)
async def rotate_secret(caller: CanEditForms, agent_id: AgentId) -> AgentWithSecret:
    """Creates a new signing secret. Both secrets sign webhooks for 24 hours."""
    return await actions.rotate_secret(caller, agent_id)
