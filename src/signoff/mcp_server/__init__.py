"""Signoff over the Model Context Protocol: at `/mcp`, and as `signoff mcp` over standard input.

The tools are clients of the public API and contain none of its rules. At `/mcp`, they call the service's own
application in the same process with the caller's key; over standard input, they call a remote service.
"""
