package dev.cleave.agent.fuzz;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;

/** The twins of the stub that send behind other calls; their results may be passed on. */
abstract class ScriptedChains extends Stub {

    final String name;
    final ScriptedServer server;

    ScriptedChains(String name, ScriptedServer server) {
        this.name = name;
        this.server = server;
    }

    @Override
    public final boolean throwsOnlyPlainExceptions() {
        return true;
    }

    @Override
    public final boolean returnsNoSubclassOf(String name) {
        return true;
    }

    @Override
    public final boolean returnsOnlyJdkCollections() {
        return true;
    }

    public Handle push$chain(Chain chain, int key, int value) {
        return server.chain(chain, this, "push", name, key, value);
    }

    public Handle pull$chain(Chain chain, int key) {
        return server.chain(chain, this, "pull", name, key);
    }

    public Handle label$chain(Chain chain, int key) {
        return server.chain(chain, this, "label", name, key);
    }

    public Handle get$chain(Chain chain, int key) {
        return server.chain(chain, this, "get", name, key);
    }

    public Handle num$chain(Chain chain, long key) {
        return server.chain(chain, this, "num", name, key);
    }

    public Handle name$chain(Chain chain, int key) {
        return server.chain(chain, this, "name", name, key);
    }

    public Handle put$chain(Chain chain, int key, int value) {
        return server.chain(chain, this, "put", name, key, value);
    }

    public Handle checked$chain(Chain chain, int key) {
        return server.chain(chain, this, "checked", name, key);
    }

    public Handle sum$chain(Chain chain, int[] values) {
        return server.chain(chain, this, "sum", name, values);
    }

    public Handle row$chain(Chain chain, int key) {
        return server.chain(chain, this, "row", name, key);
    }

    public Handle crate$chain(Chain chain, int key) {
        return server.chain(chain, this, "crate", name, key);
    }

    public Handle flag$chain(Chain chain, int key) {
        return server.chain(chain, this, "flag", name, key);
    }

    public Handle calc$chain(Chain chain, int key) {
        return server.chain(chain, this, "calc", name, key);
    }

    public Handle calcSum$chain(Chain chain, int[] values) {
        return server.chain(chain, this, "calcSum", name, values);
    }

    public Handle look$chain(Chain chain, int key) {
        return server.chain(chain, this, "look", name, key);
    }

    public Handle peek$chain(Chain chain, int key) {
        return server.chain(chain, this, "peek", name, key);
    }

    public Handle spec$chain(Chain chain, int key) {
        return server.chain(chain, this, "spec", name, key);
    }

    public Handle perhaps$chain(Chain chain, int key) {
        return server.chain(chain, this, "perhaps", name, key);
    }
}
