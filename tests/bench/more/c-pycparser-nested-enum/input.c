typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long size_t;
typedef int (*emit_fn)(void *where, const char *text, size_t length);

extern void *malloc(size_t size);
extern void *realloc(void *old, size_t size);
extern void free(void *block);
extern void *memcpy(void *to, const void *from, size_t length);
extern void *memset(void *to, int value, size_t length);
extern size_t strlen(const char *text);
extern int strncmp(const char *a, const char *b, size_t length);
extern int snprintf(char *to, size_t room, const char *format, ...);

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_OPEN = '(',
    TOKEN_CLOSE = ')',
    TOKEN_COMMA = ',',
    TOKEN_ASSIGN = '='
};

typedef struct position {
    u32 line;
    u16 column;
    u16 file;
} position_t;

typedef struct token {
    enum token_kind kind;
    position_t at;
    const char *start;
    size_t length;
} token_t;

typedef struct lexer {
    const char *text;
    const char *next;
    position_t at;
    token_t current;
    u8 failed : 1;
    u8 in_macro : 1;
    u8 depth : 6;
} lexer_t;

struct node;

typedef struct list {
    struct node **items;
    size_t used, room;
} list_t;

typedef struct node {
    enum node_kind {
        NODE_CALL,
        NODE_NAME,
        NODE_NUMBER,
        NODE_STRING,
        NODE_ASSIGN
    } kind;
    position_t at;
    union {
        struct {
            char *name;
            list_t arguments;
        } call;
        struct {
            char *target;
            struct node *value;
        } assign;
        char *text;
        double number;
    } u;
} node_t;

typedef struct printer {
    enum {
        PRINT_PLAIN = 0,
        PRINT_INDENTED = 1 << 0,
        PRINT_POSITIONS = 1 << 1,
        PRINT_ALL = PRINT_INDENTED | PRINT_POSITIONS
    };
    int flags;
    int indent;
    emit_fn emit;
    void *where;
} printer_t;

static const char *const kind_names[] = {
    [NODE_CALL] = "call",
    [NODE_NAME] = "name",
    [NODE_NUMBER] = "number",
    [NODE_STRING] = "string",
    [NODE_ASSIGN] = "assign",
};

static int is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void advance(lexer_t *lexer)
{
    if (*lexer->next == '\n') {
        lexer->at.line++;
        lexer->at.column = 0;
    } else {
        lexer->at.column++;
    }
    lexer->next++;
}

static void skip_space(lexer_t *lexer)
{
    for (;;) {
        while (is_space(*lexer->next))
            advance(lexer);
        if (*lexer->next != '#')
            return;
        while (*lexer->next && *lexer->next != '\n')
            advance(lexer);
    }
}

static token_t read_token(lexer_t *lexer)
{
    token_t token = { TOKEN_END, { 0, 0, 0 }, 0, 0 };
    skip_space(lexer);
    token.at = lexer->at;
    token.start = lexer->next;
    switch (*lexer->next) {
    case '\0':
        return token;
    case '(':
    case ')':
    case ',':
    case '=':
        token.kind = (enum token_kind)*lexer->next;
        advance(lexer);
        break;
    case '"':
        token.kind = TOKEN_STRING;
        do
            advance(lexer);
        while (*lexer->next && *lexer->next != '"');
        if (*lexer->next)
            advance(lexer);
        else
            lexer->failed = 1;
        break;
    default:
        if (is_digit(*lexer->next)) {
            token.kind = TOKEN_NUMBER;
            while (is_digit(*lexer->next) || *lexer->next == '.')
                advance(lexer);
        } else if (is_letter(*lexer->next)) {
            token.kind = TOKEN_NAME;
            while (is_letter(*lexer->next) || is_digit(*lexer->next))
                advance(lexer);
        } else {
            lexer->failed = 1;
            return token;
        }
    }
    token.length = (size_t)(lexer->next - token.start);
    return token;
}

static char *copy(const char *start, size_t length)
{
    char *result = malloc(length + 1);
    if (!result)
        return 0;
    memcpy(result, start, length);
    result[length] = '\0';
    return result;
}

static int append(list_t *list, node_t *node)
{
    if (list->used == list->room) {
        size_t room = list->room ? 2 * list->room : 4;
        node_t **items = realloc(list->items, room * sizeof(*items));
        if (!items)
            return -1;
        list->items = items;
        list->room = room;
    }
    list->items[list->used++] = node;
    return 0;
}

static node_t *new_node(enum node_kind kind, position_t at)
{
    node_t *node = malloc(sizeof(node_t));
    if (node) {
        memset(node, 0, sizeof *node);
        node->kind = kind;
        node->at = at;
    }
    return node;
}

static double parse_number(const char *text, size_t length)
{
    double value = 0.0, scale = 0.0;
    size_t i;
    for (i = 0; i < length; i++) {
        if (text[i] == '.') {
            scale = 1.0;
        } else {
            value = value * 10.0 + (text[i] - '0');
            scale *= 10.0;
        }
    }
    return scale > 1.0 ? value / scale : value;
}

static node_t *parse_expression(lexer_t *lexer);

static node_t *parse_call(lexer_t *lexer, token_t name)
{
    node_t *node = new_node(NODE_CALL, name.at);
    if (!node)
        return 0;
    node->u.call.name = copy(name.start, name.length);
    lexer->current = read_token(lexer);
    while (lexer->current.kind != TOKEN_CLOSE && !lexer->failed) {
        node_t *argument = parse_expression(lexer);
        if (!argument || append(&node->u.call.arguments, argument) < 0)
            goto failed;
        if (lexer->current.kind == TOKEN_COMMA)
            lexer->current = read_token(lexer);
        else if (lexer->current.kind != TOKEN_CLOSE)
            goto failed;
    }
    lexer->current = read_token(lexer);
    return node;
failed:
    lexer->failed = 1;
    return node;
}

static node_t *parse_expression(lexer_t *lexer)
{
    token_t token = lexer->current;
    node_t *node = 0;
    lexer->current = read_token(lexer);
    switch (token.kind) {
    case TOKEN_NAME:
        if (lexer->current.kind == TOKEN_OPEN)
            return parse_call(lexer, token);
        if (lexer->current.kind == TOKEN_ASSIGN) {
            node = new_node(NODE_ASSIGN, token.at);
            lexer->current = read_token(lexer);
            node->u.assign.target = copy(token.start, token.length);
            node->u.assign.value = parse_expression(lexer);
            return node;
        }
        node = new_node(NODE_NAME, token.at);
        node->u.text = copy(token.start, token.length);
        break;
    case TOKEN_NUMBER:
        node = new_node(NODE_NUMBER, token.at);
        node->u.number = parse_number(token.start, token.length);
        break;
    case TOKEN_STRING:
        node = new_node(NODE_STRING, token.at);
        node->u.text = copy(token.start + 1, token.length - 2);
        break;
    default:
        lexer->failed = 1;
    }
    return node;
}

static void print_node(printer_t *printer, const node_t *node)
{
    char line[128];
    int length, i;
    size_t k;
    for (i = 0; (printer->flags & PRINT_INDENTED) && i < printer->indent; i++)
        printer->emit(printer->where, "  ", 2);
    length = snprintf(line, sizeof line, "%s ", kind_names[node->kind]);
    printer->emit(printer->where, line, (size_t)length);
    if (printer->flags & PRINT_POSITIONS) {
        length = snprintf(line, sizeof(line), "@%u:%u ", node->at.line, (unsigned)node->at.column);
        printer->emit(printer->where, line, (size_t)length);
    }
    printer->indent++;
    if (node->kind == NODE_CALL)
        for (k = 0; k < node->u.call.arguments.used; k++)
            print_node(printer, node->u.call.arguments.items[k]);
    else if (node->kind == NODE_ASSIGN)
        print_node(printer, node->u.assign.value);
    printer->indent--;
}

int dump(const char *text, emit_fn emit, void *where)
{
    lexer_t lexer = { text, text, { 1, 0, 0 }, { 0 }, 0, 0, 0 };
    printer_t printer = { PRINT_ALL, 0, emit, where };
    node_t *node;
    lexer.current = read_token(&lexer);
    while (lexer.current.kind != TOKEN_END && !lexer.failed) {
        node = parse_expression(&lexer);
        if (node)
            print_node(&printer, node);
    }
    return lexer.failed ? -1 : 0;
}
