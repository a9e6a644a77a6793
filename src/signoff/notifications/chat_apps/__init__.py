"""Chat apps: a review's card in Slack or Mattermost, kept true until the review has ended."""
