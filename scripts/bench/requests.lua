-- Load for wrk: DELETE requests whose path carries a number that goes on from request to request.
-- Arguments: the path with %d in it, the token or '-', the first number, step, modulus.
-- Without arguments it sends the request that comes from standard input, again and again.
local path, tail, number, step, modulus, whole

function init(args)
  if #args == 0 then
    whole = io.read('*a')
    return
  end
  path = args[1]
  tail = ' HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  if args[2] ~= '-' then tail = tail .. 'Authorization: Bearer ' .. args[2] .. '\r\n' end
  tail = tail .. '\r\n'
  number, step, modulus = tonumber(args[3]), tonumber(args[4]), tonumber(args[5])
end

function request()
  if whole then return whole end
  local here = number
  number = (number + step) % modulus
  return 'DELETE ' .. string.format(path, here) .. tail
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
