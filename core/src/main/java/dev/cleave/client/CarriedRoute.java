package dev.cleave.client;

import dev.cleave.call.Expression;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Carrier;
import dev.cleave.ref.Target;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/** The route of those calls of a service that one carrier transports. */
record CarriedRoute(WatchedService of, Carrier carrier) implements ServiceRoute {

    @Override
    public ServiceRoute by(Carrier other) {
        return new CarriedRoute(of, other);
    }

    @Override
    public @Nullable Hop only() {
        return of.only(carrier);
    }

    @Override
    public Hop first(Wish wish) {
        return of.first(wish, carrier);
    }

    @Override
    public @Nullable Hop firstOrHeld(Wish wish, WaitingCall<Hop> held) {
        return of.firstOrHeld(wish, held, carrier);
    }

    @Override
    public boolean linesUp() {
        return of.linesUp();
    }

    @Override
    public boolean learns() {
        return of.spread().learns();
    }

    @Override
    public @Nullable Expression key(RemoteMethod method) {
        return of.key(method);
    }

    @Override
    public @Nullable Hop next(Attempts history, FailureClass failure, boolean idempotent, long remainingNanos) {
        return of.next(history.next(failure, idempotent, remainingNanos, of.set()), history.tried(), carrier);
    }

    @Override
    public String place(Hop way) {
        String replica = way.replica();
        return replica == null ? of.endpoint(way.link()) : replica;
    }

    @Override
    public @Nullable Hop to(String replica) {
        return of.to(replica, carrier);
    }

    @Override
    public void isFull(Hop way) {
        of.isFull(way);
    }

    @Override
    public @Nullable Hop near(Target object) {
        return of.near(object, carrier);
    }

    @Override
    public @Nullable Hop again(Hop broken, long remainingNanos) {
        return of.again(broken, carrier, remainingNanos);
    }

    @Override
    public boolean leadsOver(Link link) {
        return of.leadsOver(link);
    }

    @Override
    public String endpoint(Link link) {
        return of.endpoint(link);
    }

    @Override
    public boolean hasOther(Hop than) {
        return of.hasOther(than);
    }

    @Override
    public boolean canHedge(Hop on) {
        return of.canHedge(on);
    }

    @Override
    public boolean hasChoice() {
        return of.hasChoice();
    }
}
