-- Deliveries are listed with the indexes of their own table, so that they don't pay for this one.
create index outgoing_messages_listed on outgoing_messages (account_id, channel, message_id)
    where channel <> 'webhook';
