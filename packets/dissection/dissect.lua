-- Prints one line of JSON for each packet: tshark -q -r FILE -X lua_script:dissect.lua
-- Only tshark's tree has the lengths of frames, records and headers in order.
-- packet.ts describes the keys.

local packet, at

-- The list under a key of a table, created if missing.
local function add(to, list, item)
  to[list] = to[list] or {}
  table.insert(to[list], item)
  return item
end

local function number(field)
  local value = field.value
  if type(value) == "number" then return value end
  if type(value) == "boolean" then return value and 1 or 0 end
  return tonumber(tostring(value)) or 0
end

-- An address of the frame; of nested packets the innermost one.
local function address(field)
  return tostring(field.value)
end

local function beginIp(field)
  -- Offsets in reassembled data are not those of the frame.
  packet.ip = { start = field.offset, fragment = packet.ip and packet.ip.fragment }
  packet.tcp, packet.udp, packet.quic = nil, nil, nil
  at = { place = packet }
end

local function noteFragment(field)
  if number(field) > 0 then packet.ip.fragment = true end
end

local function endsPort(key)
  return function(field)
    local to = packet.tcp or packet.udp
    if to then to[key] = number(field) end
  end
end

local function ofTcp(key)
  return function(field)
    if packet.tcp then packet.tcp[key] = number(field) end
  end
end

local function tcpSign(sign)
  return function()
    if packet.tcp then add(packet.tcp, "signs", sign) end
  end
end

local function noteSack(field)
  if packet.tcp then add(packet.tcp, "sacks", number(field)) end
end

local function ofQuic(key)
  return function(field)
    if at.quic then at.quic[key] = number(field) end
  end
end

-- Includes the authentication tag, and bytes missing in the file.
local function quicPayload(field)
  if at.quic then at.quic.payloadBytes = at.quic.bytes - (field.offset - at.quicStart) end
end

local function ofFrame(key)
  return function(field)
    if at.frame then at.frame[key] = number(field) end
  end
end

local function ofHello(key)
  return function(field)
    if at.hello then at.hello[key] = number(field) end
  end
end

-- Bytes in hex.
local function hex(field)
  return field.value:tohex(true)
end

local function idOfFrame(field)
  if at.frame then at.frame.id = hex(field) end
end

-- From a QUIC packet with a long header; packets with a short header have only known ids.
local function idOfQuic(key)
  return function(field)
    if not at.quic then return end
    at.quic[key .. "Bytes"] = field.len
    if at.quic.long == 1 then at.quic[key] = hex(field) end
  end
end

local function parameter(name, of)
  return function(field)
    if not at.hello then return end
    at.hello.parameters = at.hello.parameters or {}
    at.hello.parameters[name] = of(field)
  end
end

local read = {
  ["ip"] = beginIp,
  ["ipv6"] = beginIp,
  ["ip.src"] = function(field) packet.ip.from = address(field) end,
  ["ip.dst"] = function(field) packet.ip.to = address(field) end,
  ["ipv6.src"] = function(field) packet.ip.from = address(field) end,
  ["ipv6.dst"] = function(field) packet.ip.to = address(field) end,
  ["ip.id"] = function(field) packet.ip.id = number(field) end,
  ["ip.frag_offset"] = noteFragment,
  ["ip.flags.mf"] = noteFragment,
  ["ipv6.fraghdr.offset"] = noteFragment,
  ["ipv6.fraghdr.more"] = noteFragment,
  -- The following bytes belong to the original packet in an ICMP error.
  ["icmp"] = function() at.over = true end,
  ["icmpv6"] = function() at.over = true end,

  ["tcp"] = function(field) packet.tcp = { start = field.offset, headBytes = field.len } end,
  ["tcp.srcport"] = endsPort("from"),
  ["tcp.dstport"] = endsPort("to"),
  ["tcp.stream"] = ofTcp("stream"),
  ["tcp.len"] = ofTcp("bytes"),
  ["tcp.hdr_len"] = ofTcp("headBytes"),
  ["tcp.seq"] = ofTcp("sequence"),
  ["tcp.ack"] = ofTcp("acknowledged"),
  ["tcp.flags"] = ofTcp("flags"),
  ["tcp.window_size"] = ofTcp("windowBytes"),
  ["tcp.options.timestamp.tsval"] = ofTcp("sentAt"),
  ["tcp.options.timestamp.tsecr"] = ofTcp("echoes"),
  ["tcp.options.sack_le"] = noteSack,
  ["tcp.options.sack_re"] = noteSack,
  ["tcp.options.sack.dsack_le"] = noteSack,
  ["tcp.options.sack.dsack_re"] = noteSack,
  ["tcp.analysis.retransmission"] = tcpSign("retransmission"),
  ["tcp.analysis.fast_retransmission"] = tcpSign("fast"),
  ["tcp.analysis.spurious_retransmission"] = tcpSign("spurious"),
  ["tcp.analysis.out_of_order"] = tcpSign("out-of-order"),
  ["tcp.analysis.zero_window"] = tcpSign("zero-window"),
  ["tcp.analysis.window_full"] = tcpSign("window-full"),

  ["udp"] = function(field) packet.udp = { start = field.offset, headBytes = 8 } end,
  ["udp.srcport"] = endsPort("from"),
  ["udp.dstport"] = endsPort("to"),
  ["udp.length"] = function(field) packet.udp.bytes = number(field) - 8 end,
  ["udp.stream"] = function(field) packet.udp.stream = number(field) end,

  ["quic.packet_length"] = function(field)
    at.quic = add(packet, "quic", { bytes = number(field) })
    at.quicStart = field.offset
    at.frame, at.record, at.place = nil, nil, at.quic
  end,
  ["quic.connection.number"] = function(field) packet.udp.connection = number(field) end,
  ["quic.long.packet_type"] = ofQuic("longType"),
  -- Version 2 has the same types under other numbers (RFC 9369, section 3.2).
  ["quic.long.packet_type_v2"] = function(field)
    if at.quic then at.quic.longType = (number(field) + 3) % 4 end
  end,
  ["quic.version"] = ofQuic("version"),
  ["quic.header_form"] = function(field) if at.quic then at.quic.long = number(field) end end,
  ["quic.dcid"] = idOfQuic("toId"),
  ["quic.scid"] = idOfQuic("fromId"),
  ["quic.packet_number"] = ofQuic("number"),
  ["quic.payload"] = quicPayload,
  ["quic.protected_payload"] = quicPayload,
  ["quic.remaining_payload"] = quicPayload,
  ["quic.decryption_failed"] = function() if at.quic then at.quic.closed = true end end,
  ["quic.frame"] = function(field)
    if at.quic then at.frame = add(at.quic, "frames", { bytes = field.len }) end
  end,
  ["quic.frame_type"] = ofFrame("type"),
  ["quic.crypto.offset"] = ofFrame("offset"),
  ["quic.crypto.length"] = ofFrame("dataBytes"),
  ["quic.stream.stream_id"] = ofFrame("stream"),
  ["quic.stream.offset"] = ofFrame("offset"),
  ["quic.stream.fin"] = ofFrame("ends"),
  ["quic.stream_data"] = function(field)
    if not at.frame then return end
    at.frame.dataBytes = field.len
    -- Streams in both directions, which carry requests and responses.
    if at.frame.stream and at.frame.stream % 4 < 2 then at.frame.data = hex(field) end
  end,
  ["quic.ack.largest_acknowledged"] = ofFrame("largest"),
  ["quic.ack.ack_delay"] = ofFrame("delay"),
  ["quic.ack.first_ack_range"] = function(field)
    if at.frame then add(at.frame, "ranges", number(field)) end
  end,
  ["quic.ack.gap"] = function(field) if at.frame then add(at.frame, "ranges", number(field)) end end,
  ["quic.ack.ack_range"] = function(field) if at.frame then add(at.frame, "ranges", number(field)) end end,
  ["quic.md.maximum_data"] = ofFrame("most"),
  ["quic.msd.stream_id"] = ofFrame("stream"),
  ["quic.msd.maximum_stream_data"] = ofFrame("most"),
  ["quic.ms.max_streams"] = ofFrame("most"),
  ["quic.sb.stream_data_limit"] = ofFrame("most"),
  ["quic.sdb.stream_id"] = ofFrame("stream"),
  ["quic.sib.stream_limit"] = ofFrame("most"),
  ["quic.rsts.stream_id"] = ofFrame("stream"),
  ["quic.rsts.application_error_code"] = ofFrame("error"),
  ["quic.rsts.final_size"] = ofFrame("most"),
  ["quic.ss.stream_id"] = ofFrame("stream"),
  ["quic.ss.application_error_code"] = ofFrame("error"),
  ["quic.nci.sequence"] = ofFrame("sequence"),
  ["quic.nci.retire_prior_to"] = ofFrame("retires"),
  ["quic.nci.connection_id"] = idOfFrame,
  ["quic.rci.sequence"] = ofFrame("sequence"),
  ["quic.cc.frame_type"] = ofFrame("cause"),
  ["quic.cc.error_code"] = ofFrame("error"),
  ["quic.cc.error_code.app"] = ofFrame("error"),
  ["quic.cc.reason_phrase"] = function(field) if at.frame then at.frame.reason = tostring(field.value) end end,

  ["tls.record"] = function(field)
    at.record = add(packet, "records", { bytes = field.len })
    at.place = at.record
  end,
  -- The last one is the decrypted content, if the record was decrypted.
  ["tls.record.opaque_type"] = function() if at.record then at.record.sealed = true end end,
  ["tls.record.content_type"] = function(field) if at.record then at.record.type = number(field) end end,
  ["tls.alert_message.level"] = function(field) at.alert = add(packet, "alerts", { level = number(field) }) end,
  ["tls.alert_message.desc"] = function(field) if at.alert then at.alert.code = number(field) end end,
  ["tls.handshake.type"] = function(field)
    at.hello = add(at.place, "handshake", { type = number(field) })
  end,
  ["tls.handshake.length"] = ofHello("bytes"),
  ["tls.handshake.version"] = ofHello("version"),
  ["tls.handshake.extensions.supported_version"] = function(field)
    if at.hello and at.hello.type == 2 then at.hello.version = number(field) end
  end,
  ["tls.handshake.ciphersuite"] = function(field)
    if at.hello and at.hello.type == 2 then at.hello.cipher = number(field) end
  end,
  ["tls.handshake.extensions_key_share_group"] = function(field)
    if at.hello and at.hello.type == 2 then at.hello.group = number(field) end
  end,
  ["tls.handshake.server_curve_named_curve"] = ofHello("group"),
  ["tls.handshake.server_named_curve"] = ofHello("group"),
  ["tls.handshake.extension.type"] = function(field)
    if at.hello then add(at.hello, "extensions", number(field)) end
  end,
  ["tls.handshake.extensions_server_name"] = function(field)
    if at.hello then at.hello.serverName = tostring(field.value) end
  end,
  ["tls.handshake.extensions_alpn_str"] = function(field)
    if at.hello then add(at.hello, "protocols", tostring(field.value)) end
  end,
  -- disable_active_migration has no value.
  ["tls.quic.parameter.type"] = function(field)
    if number(field) == 12 then parameter("disable_active_migration", function() return true end)(field) end
  end,

  ["http.request.method"] = function(field)
    at.http1 = add(packet, "http1", { method = tostring(field.value) })
  end,
  ["http.request.uri"] = function(field) if at.http1 then at.http1.path = tostring(field.value) end end,
  ["http.response.code"] = function(field)
    at.http1 = add(packet, "http1", { status = number(field) })
  end,
  ["http.content_length"] = function(field) if at.http1 then at.http1.bodyBytes = number(field) end end,
  ["http.chunk_size"] = function(field)
    if at.http1 then at.http1.chunkBytes = (at.http1.chunkBytes or 0) + number(field) end
  end,
  ["http2.magic"] = function(field) add(packet, "http2", { type = -1, bytes = field.len }) end,
  ["http2.length"] = function(field)
    at.http2 = add(packet, "http2", { bytes = number(field) + 9, contentBytes = number(field), type = 0, stream = 0 })
  end,
  ["http2.type"] = function(field) if at.http2 then at.http2.type = number(field) end end,
  ["http2.streamid"] = function(field) if at.http2 then at.http2.stream = number(field) end end,
  ["http2.padding"] = function(field)
    if at.http2 then at.http2.contentBytes = at.http2.contentBytes - 1 - number(field) end
  end,
  ["http2.goaway.error"] = function(field) if at.http2 then at.http2.error = number(field) end end,
  ["http2.headers.method"] = function(field) if at.http2 then at.http2.method = tostring(field.value) end end,
  ["http2.headers.path"] = function(field) if at.http2 then at.http2.path = tostring(field.value) end end,
  ["http2.headers.status"] = function(field) if at.http2 then at.http2.status = number(field) end end,
}

for _, name in ipairs({
  "max_idle_timeout", "max_udp_payload_size", "ack_delay_exponent", "max_ack_delay", "active_connection_id_limit",
  "initial_max_data", "initial_max_stream_data_bidi_local", "initial_max_stream_data_bidi_remote",
  "initial_max_stream_data_uni", "initial_max_streams_bidi", "initial_max_streams_uni",
}) do
  read["tls.quic.parameter." .. name] = parameter(name, number)
end
for _, name in ipairs({
  "original_destination_connection_id", "initial_source_connection_id", "retry_source_connection_id",
}) do
  read["tls.quic.parameter." .. name] = parameter(name, hex)
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\" }

local function text(value)
  local escaped = value:gsub('[%c"\\]', function(char)
    return ESCAPES[char] or string.format("\\u%04x", char:byte())
  end)
  return '"' .. escaped .. '"'
end

local function json(value)
  local kind = type(value)
  if kind == "string" then return text(value) end
  if kind ~= "table" then return kind == "number" and string.format("%.17g", value) or tostring(value) end
  local parts = {}
  if #value > 0 then
    for _, each in ipairs(value) do table.insert(parts, json(each)) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, each in pairs(value) do table.insert(parts, '"' .. key .. '":' .. json(each)) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local time = Field.new("frame.time_epoch")
local length = Field.new("frame.len")
local captured = Field.new("frame.cap_len")
local comment = Field.new("frame.comment")

-- The third argument makes tshark fill in every field, not only those that filters need.
local tap = Listener.new("frame", nil, true)

function tap.packet(pinfo)
  local moment = time().value
  packet = {
    n = pinfo.number,
    s = moment.secs,
    ns = moment.nsecs,
    bytes = length().value,
    capturedBytes = captured().value,
  }
  for _, each in ipairs({ comment() }) do add(packet, "comments", tostring(each.value)) end
  at = { place = packet }
  for _, field in ipairs({ all_field_infos() }) do
    if at.over then break end
    local reader = read[field.name]
    if reader then reader(field) end
  end
  print(json(packet))
end
