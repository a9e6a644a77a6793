"""Signoff for programs that speak the Model Context Protocol: at `/mcp`, and as `signoff mcp` over standard input.

The tools are a client of the public API and know none of its rules. At `/mcp` that client calls the service's own
application in the same process, with the caller's key; over standard input it calls a service somewhere.
"""
