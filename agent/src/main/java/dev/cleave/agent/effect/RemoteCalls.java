package dev.cleave.agent.effect;

/** Which calls are remote, and how they may be called. */
@FunctionalInterface
public interface RemoteCalls {

    /** How a method of an interface is called; {@link CallStyle#LOCAL} for every method that is not remote. */
    CallStyle styleOf(String owner, String name, String descriptor);
}
