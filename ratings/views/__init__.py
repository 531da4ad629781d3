"""The pages of ranked play: a view asks a selector or a service and fills a template."""
