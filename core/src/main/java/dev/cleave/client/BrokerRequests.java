package dev.cleave.client;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a node that its broker has not answered; each ends with the link over which it was sent. Thread-safe.
 */
final class BrokerRequests {

    private static final long FIRST = 1L << 62; // above the numbers of calls on the same link, which count from 1
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
    private static final String LOST = "the connection to the broker was lost";

    private final AtomicLong next = new AtomicLong(FIRST);
    private final Map<Long, Request> requests = new ConcurrentHashMap<>();

    private record Request(Link link, CompletableFuture<Frame> answer) {

        void lost() {
            answer.completeExceptionally(new TransportException(LOST, null));
        }
    }

    /** Returns a number that no other request has. */
    long number() {
        return next.getAndIncrement();
    }

    /**
     * Sends a request and waits for its answer, 5 s at most.
     *
     * @param request with its number
     * @throws CallException if the broker refuses, or does not answer, or the link is gone
     */
    Frame ask(Link link, CallSite site, LongFunction<Frame> request) {
        long id = number();
        Request asked = new Request(link, new CompletableFuture<>());
        requests.put(id, asked);
        link.write(request.apply(id).write(link.connection().allocator()));
        link.flush();
        if (link.isClosed()) { // the thread that ended the requests of the link may have missed this one
            asked.lost();
        }
        try {
            Frame frame = asked.answer().get(ANSWER_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            if (frame instanceof Failure failure) {
                throw Failures.exception(
                        failure.code(), Failures.execution(failure.execution()), failure.message(), site, null);
            }
            return frame;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(ErrorCode.CANCELLED, "interrupted", site, e);
        } catch (TimeoutException e) {
            throw failed(ErrorCode.DEADLINE, "no answer of the broker within 5 s", site, e);
        } catch (ExecutionException e) {
            throw failed(ErrorCode.CONNECTION_LOST, LOST, site, e.getCause());
        } finally {
            requests.remove(id);
        }
    }

    /** Completes a request with its answer; returns whether the request was waiting. */
    boolean isAnswered(long id, Frame answer) {
        Request request = requests.remove(id);
        if (request == null) {
            return false;
        }
        request.answer().complete(answer);
        return true;
    }

    /** Completes a request with its answer if it was sent over a link; the node may have moved to another broker since. */
    void answered(Link over, long id, Frame answer) {
        Request request = requests.get(id);
        if (request != null && request.link() == over) {
            boolean unused = isAnswered(id, answer);
        }
    }

    /** Fails all requests that were sent over a link that is gone. */
    void lost(Link gone) {
        for (Request request : requests.values()) {
            if (request.link() == gone) {
                request.lost();
            }
        }
    }

    private static CallException failed(ErrorCode code, String why, CallSite site, @Nullable Throwable cause) {
        return Failures.exception(code, Failures.execution(Execution.MAYBE), why, site, cause);
    }
}
