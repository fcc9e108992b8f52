package dev.cleave.broker.migration;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.Dispatch;
import dev.cleave.config.Linkage;
import dev.cleave.config.ServiceBinding;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Loaded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves waiting calls between the replicas of the services whose application file says so ({@code migrate}). Asks each
 * replica that gets new calls for its load, and claims calls by these loads ({@link dev.cleave.migration.Migration}).
 *
 * <p>Methods are called on the registry's thread.
 */
public final class Migrations {

    private static final System.Logger LOG = SafeLog.of(Migrations.class);

    private final Function<String, @Nullable ServiceView> views;
    private final Timer timer;
    private final Executor thread;
    private final Map<String, MovingService> services = new HashMap<>();
    private Bindings bindings;
    private Ownership ownership = Ownership.OF_ONE;
    private Timer.@Nullable Timeout timeout;
    private long timeoutAt = Long.MAX_VALUE;

    /**
     * Creates migrations without replicas.
     *
     * @param views the replicas of a service, null if there are none
     * @param thread the registry's thread
     */
    public Migrations(Bindings bindings, Function<String, @Nullable ServiceView> views, Timer timer, Executor thread) {
        this.bindings = requireNonNull(bindings, "bindings");
        this.views = requireNonNull(views, "views");
        this.timer = requireNonNull(timer, "timer");
        this.thread = requireNonNull(thread, "thread");
    }

    /** Moves calls with the other brokers of a cluster from now on, before any replica is there. */
    public void join(Ownership joined) {
        ownership = requireNonNull(joined, "joined");
    }

    /** Adds a replica that a server has registered. */
    public void registered(Mover mover, String service, String replica) {
        MovingService moving = moving(service);
        moving.registered(replica, mover);
        moving.look(views.apply(service), ownership);
    }

    /** Removes a replica that a server has withdrawn. */
    public void unregistered(Mover mover, String service, String replica) {
        MovingService moving = services.get(service);
        if (moving != null) {
            moving.unregistered(replica, mover);
            dropEmpty();
        }
    }

    /** Removes the replicas of a server whose connection has ended. */
    public void lost(Mover mover) {
        services.values().forEach(service -> service.lost(mover));
        dropEmpty();
    }

    /** Checks the states of replicas, which may have changed. */
    public void look() {
        if (ownership != Ownership.OF_ONE) { // this broker may move calls of replicas that are all connected to others
            bindings.services().keySet().stream()
                    .filter(name -> !linkages(name).isEmpty() && views.apply(name) != null)
                    .forEach(this::moving);
        }
        services.forEach((name, service) -> service.look(views.apply(name), ownership));
        dropEmpty();
    }

    /** Moves calls by the linkages of another application file from now on. */
    public void change(Bindings changed) {
        bindings = changed;
        services.forEach((name, service) -> service.change(linkages(name)));
        look();
    }

    /** Takes the load that a server has reported. */
    public void loaded(Mover mover, Loaded said) {
        tell(said.service(), service -> service.told(mover, said));
    }

    /** Takes the answer of a server to a claim. */
    public void granted(Mover mover, CallGrant said) {
        tell(said.service(), service -> service.told(mover, said));
    }

    /** Takes a frame of another broker, which moves calls of a service, to a replica that is connected here. */
    public void ordered(Mover from, Forward said) {
        tell(said.service(), service -> service.ordered(from, said, ownership));
    }

    /** Takes the answer of a replica that is connected to the broker at an endpoint. */
    public void answered(String home, Forward said) {
        tell(said.service(), service -> service.answered(home, said));
    }

    /** Removes the replicas that are connected to the broker at an endpoint, which cannot be reached. */
    public void lost(String home) {
        services.values().forEach(service -> service.lost(home));
        dropEmpty();
    }

    /** Says whether no replica is known. */
    public boolean isEmpty() {
        return services.isEmpty();
    }

    private MovingService moving(String service) {
        return services.computeIfAbsent(service, name -> new MovingService(name, linkages(name), timer::nanos));
    }

    private void tell(String name, Consumer<MovingService> word) {
        MovingService service = services.get(name);
        if (service != null) {
            word.accept(service);
            schedule();
        }
    }

    private void dropEmpty() {
        services.values().removeIf(MovingService::isEmpty);
    }

    private List<Linkage> linkages(String service) {
        return bindings.service(service)
                .map(ServiceBinding::dispatch)
                .orElse(Dispatch.DEFAULT)
                .migrate();
    }

    private void schedule() {
        long at = Long.MAX_VALUE;
        for (MovingService service : services.values()) {
            long next = service.dueAt();
            at = at == Long.MAX_VALUE || next != Long.MAX_VALUE && next - at < 0 ? next : at;
        }
        if (at == Long.MAX_VALUE || timeout != null && timeoutAt - at <= 0) {
            return;
        }
        if (timeout != null) {
            timeout.cancel();
        }
        timeoutAt = at;
        timeout = timer.scheduleAt(at, this::wake);
    }

    private void wake() {
        try {
            thread.execute(() -> {
                timeout = null;
                services.values().forEach(MovingService::due);
                schedule();
            });
        } catch (RejectedExecutionException e) { // the broker is closing
            LOG.log(System.Logger.Level.DEBUG, "after the end", e);
        }
    }
}
