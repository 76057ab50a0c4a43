-- Load for wrk: DELETE requests whose path and Content-Type carry a number that goes on from request to request.
-- Arguments: the path with %d in it, the token or '-', the Content-Type with %d in it or '-', the first number, step, modulus.
local path, tail, number, step, modulus, content_type

function init(args)
  path = args[1]
  tail = ' HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  if args[2] ~= '-' then tail = tail .. 'Authorization: Bearer ' .. args[2] .. '\r\n' end
  content_type = args[3] ~= '-' and args[3] or nil
  number, step, modulus = tonumber(args[4]), tonumber(args[5]), tonumber(args[6])
end

function request()
  local here = number
  number = (number + step) % modulus
  local head = 'DELETE ' .. string.format(path, here) .. tail
  if content_type then head = head .. 'Content-Type: ' .. string.format(content_type, here) .. '\r\n' end
  return head .. '\r\n'
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"refused":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
