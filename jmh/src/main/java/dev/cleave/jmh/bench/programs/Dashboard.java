package dev.cleave.jmh.bench.programs;

/** The first page of a portal. */
final class Dashboard {

    private final Accounts accounts;
    private final Billing billing;
    private final Messages messages;
    private final Press press;

    Dashboard(Accounts accounts, Billing billing, Messages messages, Press press) {
        this.accounts = accounts;
        this.billing = billing;
        this.messages = messages;
        this.press = press;
    }

    String page(long user) {
        Accounts.Account account = accounts.account(user);
        StringBuilder page = new StringBuilder();
        page.append("Hello ")
                .append(account.name())
                .append(", ")
                .append(accounts.plan(user))
                .append('\n');
        double due = billing.balance(user) * billing.rate(account.currency());
        page.append("due: ").append(due).append(' ').append(account.currency()).append('\n');
        int unread = messages.unread(user);
        if (unread > 0) {
            page.append(unread).append(" new: ").append(messages.newest(user)).append('\n');
        }
        page.append(press.headline(account.language())).append('\n');
        page.append(account.city())
                .append(": ")
                .append(press.weather(account.city()))
                .append('\n');
        page.append(accounts.friends(user))
                .append(" of ")
                .append(press.visitors())
                .append(" are friends\n");
        return page.toString();
    }
}
