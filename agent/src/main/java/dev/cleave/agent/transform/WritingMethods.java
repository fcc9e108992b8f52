package dev.cleave.agent.transform;

import java.util.Locale;
import java.util.Set;

/**
 * Guesses which remote methods change something at the server, from their result and name. The agent does not see what
 * a method does there; but the report may not advise {@code @Pure} or {@code @ReadOnly} for a method that seems to
 * write.
 */
final class WritingMethods {

    private static final String VERB_LIST = """
            accept acquire activate add alloc allocate append apply approve assign attach bind book
            buy cancel charge checkout claim clear close commit confirm connect consume copy create
            credit deactivate debit decrement delete deliver deposit deregister dequeue destroy
            detach disable disconnect dispatch do drain drop emit enable enqueue erase execute exec
            expire fill finish fire flush free generate grant handle import increment init
            initialize insert install invoke issue join kill launch leave load lock log login logout
            mark merge migrate modify move next notify offer on open order patch pause pay perform
            persist place poll pop post process produce provision publish purge push put rebind
            receive record redo refresh register reject release remove rename replace reply report
            request reserve reset resize restart restore resume revoke roll rollback rotate run save
            schedule sell send set ship shut shutdown sign spawn start stop store submit subscribe
            swap sync take tell terminate touch transfer trigger truncate unbind undo uninstall
            unlock unregister unset unsubscribe update upload upsert withdraw write
            """;
    private static final Set<String> VERBS = Set.of(VERB_LIST.strip().split("\\s+"));

    private static final Set<String> JOINS = Set.of("and", "or", "then");

    private WritingMethods() {}

    /** Whether a method has no result, or a name such as {@code putAll} or {@code getOrCreate}. */
    static boolean seemsToWrite(String name, String descriptor) {
        if (descriptor.endsWith(")V")) {
            return true;
        }
        boolean mayBeVerb = true;
        for (String word : name.split("(?<=[a-z0-9])(?=[A-Z])|_")) {
            String lower = word.toLowerCase(Locale.ROOT);
            if (mayBeVerb && VERBS.contains(lower)) {
                return true;
            }
            mayBeVerb = JOINS.contains(lower) || word.isEmpty();
        }
        return false;
    }
}
