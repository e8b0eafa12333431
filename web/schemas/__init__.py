"""The JSON shapes of the API: requests as they are parsed, responses as they are sent."""
