from hypothesis import settings

# A property is about what comes out, not about how busy the machine is.
settings.register_profile("forms", deadline=None)
settings.load_profile("forms")
