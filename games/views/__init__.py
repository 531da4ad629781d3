"""The pages: each view asks a selector or a service, and translates."""
