from hypothesis import HealthCheck, settings

# A property is about what comes out, not about how busy the machine is.
settings.register_profile("forms", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("forms")
