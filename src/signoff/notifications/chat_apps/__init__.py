"""Chat apps: a review's card in Slack or Mattermost, kept up to date until the review has ended."""
