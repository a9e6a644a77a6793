"""Decide which addresses outbound requests may reach."""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network


# Our own table, based on the IANA special-purpose registries, because `ipaddress.is_global` differs between patch
# releases of Python and treats multicast and 6to4 as global.
_NOT_PUBLIC_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host: Linux connects 0.0.0.0 to loopback
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, also used inside clouds
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's host agent: a public address that serves the machine's secrets
        "169.254.0.0/16",  # link-local, cloud metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)

# Global unicast only: `::`, `::1`, IPv4-compatible, link-local, unique local, multicast, and every network-specific
# NAT64 prefix are outside it.
_PUBLIC_IPV6 = IPv6Network("2000::/3")
_NOT_PUBLIC_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo (which embeds any IPv4 address), ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds any IPv4 address
        "3fff::/20",  # documentation
    )
)

_NAT64 = IPv6Network("64:ff9b::/96")


def is_permitted(text: str, allowed_networks: Collection[Network]) -> bool:
    """Whether `text` is an address on the public internet or in one of the allowed networks.

    Text that isn't an address is never permitted: connecting to it would resolve a name again.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:  # a zone only has a meaning on a local link
            return False
        address = _ipv4_behind(address) or address
    return _is_public(address) or any(address in network for network in allowed_networks)


def _ipv4_behind(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that a connection to this IPv6 address really reaches.

    NAT64 is checked like this rather than refused, because in a network without IPv4 it's how the public IPv4 internet
    appears.
    """
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_IPV4)
    return address in _PUBLIC_IPV6 and not any(address in network for network in _NOT_PUBLIC_IPV6)
